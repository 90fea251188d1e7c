"""Names in scripts other than Latin, in texts with and without spaces."""

from __future__ import annotations

import pytest

from kgpath.linking.context import Context
from kgpath.linking.occurrences import find_occurrences


@pytest.fixture
def world(build_graph):
    return build_graph(
        """
        ex:lee rdfs:label "李安" ; ex:made ex:tiger .
        ex:tiger rdfs:label "卧虎藏龙" ; skos:altLabel "Crouching Tiger" ; ex:star ex:yeoh .
        ex:yeoh rdfs:label "杨紫琼" . ex:beijing rdfs:label "北京" ; ex:in ex:china .
        ex:university rdfs:label "北京大学" ; ex:in ex:beijing . ex:china rdfs:label "中国" .
        ex:pulp rdfs:label "Pulp Fiction" ; ex:by ex:tarantino .
        ex:tarantino rdfs:label "クエンティン・タランティーノ" .
        ex:totoro rdfs:label "となりのトトロ" ; ex:by ex:miyazaki .
        ex:miyazaki rdfs:label "宮崎駿" . ex:gold rdfs:label "金" ; ex:near ex:china .
        ex:seoul rdfs:label "서울" ; ex:in ex:korea . ex:korea rdfs:label "대한민국" .
        ex:bangkok rdfs:label "กรุงเทพมหานคร" ; ex:in ex:thailand .
        ex:thailand rdfs:label "ประเทศไทย" .
        ex:delhi rdfs:label "दिल्ली" ; ex:in ex:india . ex:india rdfs:label "भारत" .
        ex:cairo rdfs:label "القاهرة" ; ex:in ex:egypt . ex:egypt rdfs:label "مصر" .
        ex:moscow rdfs:label "Москва" ; ex:in ex:russia . ex:russia rdfs:label "Россия" .
        ex:athens rdfs:label "Αθήνα" ; ex:in ex:greece . ex:greece rdfs:label "Ελλάδα" .
        ex:pirates rdfs:label "加勒比海盗神秘的黑珍珠号的诅咒" ; ex:near ex:china .
        """
    )


TEXTS = [
    ("李安导演了《卧虎藏龙》，杨紫琼主演。", ["lee", "tiger", "yeoh"]),
    ("他在北京大学学习，后来离开北京。", ["university", "beijing"]),
    ("在Pulp Fiction中没有李安。", ["pulp", "lee"]),
    ("昨天加勒比海盗神秘的黑珍珠号的诅咒上映", ["pirates"]),
    ("クエンティン・タランティーノ監督の映画", ["tarantino"]),
    ("クエンティンタランティーノはPulp Fictionを作った", ["tarantino", "pulp"]),
    ("ｸｴﾝﾃｨﾝ･ﾀﾗﾝﾃｨｰﾉ監督", ["tarantino"]),
    ("宮崎駿の『となりのトトロ』", ["miyazaki", "totoro"]),
    ("서울은 대한민국의 수도이다.", ["seoul", "korea"]),
    ("ฉันรักกรุงเทพมหานครในประเทศไทย", ["bangkok", "thailand"]),
    ("दिल्ली भारत की राजधानी है।", ["delhi", "india"]),
    ("القاهرة عاصمة مصر", ["cairo", "egypt"]),
    ("Москва и Россия", ["moscow", "russia"]),
    ("Η Αθήνα στην Ελλάδα", ["athens", "greece"]),
    ("他们在海边安静地说话。", []),
    ("今天没有人，李先生很安全。", []),  # both signs of a name, but not together
    ("他喜欢金。", []),  # a single sign needs support
    ("中国有金。", ["china", "gold"]),
    ("москва", []),  # without its capital
]


def local(kg, entity: int) -> str:
    return kg.entity(entity).iri.rpartition("/")[2]


@pytest.mark.parametrize(("text", "found"), TEXTS)
def test_names_are_found_in_every_script(world, text: str, found: list[str]) -> None:
    assert [local(world, mention.entity) for mention in world.mentions(text)] == found


@pytest.mark.parametrize(("text", "found"), [pair for pair in TEXTS if pair[1]])
def test_the_text_shows_and_names_them_in_full(world, text: str, found: list[str]) -> None:
    context = Context(world, text)
    ids = [world.entity(f"ex:{name}").id for name in found]
    seen = find_occurrences(context, ids)
    assert (context.name_scores[ids] >= 0.85).all()
    for entity in ids:
        assert seen.named[seen.entities.tolist().index(entity)] >= 0.85
        assert seen.of(entity)


def test_a_mention_stands_where_its_name_does(world) -> None:
    text = "昨天，李安到北京大学。"
    assert [text[m.start : m.end] for m in world.mentions(text)] == ["李安", "北京大学"]


def test_signs_far_apart_name_nobody(world) -> None:
    context = Context(world, "今天没有人，李先生很安全。")
    assert context.name_scores[world.entity("ex:lee").id] == 0


def test_a_text_in_a_language_without_names_names_nothing(world) -> None:
    for text in ("Ich gehe heute nach Hause.", "Je rentre à la maison.", "ከተማ", "😀 😀", "12 34"):
        assert world.mentions(text) == []


def test_a_question_in_chinese_finds_its_path(world) -> None:
    answers = world.query("李安", "杨紫琼", "李安导演了《卧虎藏龙》，杨紫琼主演。", k=1)
    assert [node.label for node in answers[0].path.nodes] == ["李安", "卧虎藏龙", "杨紫琼"]
