ALTER TABLE entity RENAME TO hidden;
CREATE VIEW entity AS
    WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r)
    SELECT n AS id, 'x:' || n AS iri, 'x' AS label, '' AS description, 1 AS degree, 'en' AS lang FROM r;
