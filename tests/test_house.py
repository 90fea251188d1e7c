"""The layout holds: imports point down, our folders hide nobody else's, starting is quick."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import kgpath

# A folder, or a module directly in kgpath/, imports only from the rows before its own.
ROWS: tuple[tuple[str, ...], ...] = (
    ("types", "errors", "extras", "registry", "plugins", "component", "reproduction"),  # the base
    ("io",),
    ("lexicon",),
    ("storage",),
    ("linking",),
    ("paths",),
    ("features",),
    ("kg_build", "encoders", "metrics"),
    ("rankers",),
    ("graph", "retriever", "answer", "many_texts"),  # the facade
    ("datasets",),
    ("learning",),
    ("dialogue",),
    ("reproduce",),
    ("cli", "server"),
    ("__main__",),
)
ROW_OF = {room: row for row, rooms in enumerate(ROWS) for room in rooms}
# Modules of these rows lie directly in kgpath/: they may import each other.
FLAT_ROWS = (0, 9)
MOST_FLAT_MODULES = 15
HEAVY = ("torch", "lightgbm", "pandas", "numpy")


def part_of(module: str) -> str | None:
    """kgpath.kg_build.files → kg_build; kgpath itself is in no row."""
    return module.split(".")[1] if "." in module else None


def home_of(name: str) -> str:
    """kgpath.train → kgpath.learning.train: where the front door has a name from."""
    place = kgpath._PLACES.get(name.removeprefix("kgpath."), name)
    return place.partition(":")[0]


def wrong_arrows(imports: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Every import that breaks the layers; ``imports`` maps a module to the ones it imports."""
    for module, targets in imports.items():
        part = part_of(module)
        if part is None:
            continue  # kgpath/__init__ is the front door
        if part not in ROW_OF:
            yield f"{module} is in no row"
            continue
        for target in targets:
            other = part_of(home_of(target))
            if other in (None, part) or target == "kgpath.__version__":
                continue
            if other not in ROW_OF:
                yield f"{module} imports {target}, which is in no row"
            elif ROW_OF[other] > ROW_OF[part]:
                yield f"{module} imports {target} from a higher row"
            elif ROW_OF[other] == ROW_OF[part] and ROW_OF[part] not in FLAT_ROWS:
                yield f"{module} imports {target} sideways"


def module_name(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(package: Path) -> dict[str, Path]:
    """All modules by their long name, each once, also those behind the symlinks."""
    found = {}
    for entry in sorted(package.iterdir()):
        files = sorted(entry.rglob("*.py")) if entry.is_dir() else [entry]
        found.update({module_name(f, package): f for f in files if f.suffix == ".py"})
    return found


def imported(tree: ast.AST, module: str, known: Iterable[str]) -> Iterator[str]:
    """The kgpath modules a module imports, anywhere in it but under TYPE_CHECKING.

    Names of the front door stay as they are, whether they are imported or used as ``kgpath.train``.
    """
    known = set(known)
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.partition(".")[0] == "kgpath")
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*module.split(".")[: -node.level], *filter(None, [base])])
            if base.partition(".")[0] == "kgpath":
                for alias in node.names:  # `from kgpath import names` imports a module
                    name = f"{base}.{alias.name}"
                    yield name if name in known or base == "kgpath" else base
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "kgpath":
            yield from {f"kgpath.{node.attr}"} if node.attr in kgpath._PLACES else ()


@pytest.fixture(scope="module")
def imports(root: Path) -> dict[str, set[str]]:
    found = modules(root / "kgpath")
    return {
        name: set(imported(ast.parse(path.read_text(encoding="utf-8")), name, found))
        for name, path in found.items()
    }


def test_every_import_points_down_and_every_module_is_in_a_row(
    imports: dict[str, set[str]],
) -> None:
    assert list(wrong_arrows(imports)) == []


def test_the_walk_sees_the_modules_behind_the_symlinks(imports: dict[str, set[str]]) -> None:
    # Else the test above would hold for an empty table.
    assert "kgpath.io.atomic" in imports["kgpath.kg_build.build"]
    assert "kgpath.storage.names" in imports["kgpath.graph"]  # from kgpath import names
    assert "kgpath.storage.index" in imports["kgpath.graph"]  # inside a function
    assert "kgpath.datasets.sample_files" in imports["kgpath.cli.demo"]


@pytest.mark.parametrize(
    ("module", "target", "complaint"),
    [
        ("kgpath.storage.store", "kgpath.kg_build.build", "higher row"),
        ("kgpath.errors", "kgpath.lexicon.text", "higher row"),
        ("kgpath.kg_build.build", "kgpath.encoders.tfidf", "sideways"),
        ("kgpath.encoders.tfidf", "kgpath.metrics.mrr", "sideways"),
        ("kgpath.cli.look", "kgpath.server.app", "sideways"),
        ("kgpath.utils", "kgpath.types", "in no row"),
        ("kgpath.storage.store", "kgpath.utils", "in no row"),
        ("kgpath.storage.store", "kgpath.train", "higher row"),
        ("kgpath.linking.mentions", "kgpath.Graph", "higher row"),
        ("kgpath.encoders.tfidf", "kgpath.build", "sideways"),
    ],
)
def test_the_checker_catches_a_wrong_arrow(module: str, target: str, complaint: str) -> None:
    (line,) = wrong_arrows({module: [target]})
    assert complaint in line


def test_the_checker_lets_right_arrows_pass() -> None:
    good = {
        "kgpath.cli.look": ["kgpath", "kgpath.storage.summary", "kgpath.cli.output"],
        "kgpath.graph": ["kgpath.storage.names", "kgpath.errors", "kgpath.Filters"],
        "kgpath.io.cache": ["kgpath.__version__", "kgpath.errors", "kgpath.Entity"],
        "kgpath": ["kgpath.cli"],
    }
    assert list(wrong_arrows(good)) == []


def test_imports_for_type_checkers_do_not_count() -> None:
    code = "if TYPE_CHECKING:\n    import kgpath.cli\nelse:\n    import kgpath.lexicon.text\n"
    assert set(imported(ast.parse(code), "kgpath.storage.store", ())) == {"kgpath.lexicon.text"}


@pytest.mark.parametrize(
    "code",
    [
        "from kgpath import train",
        "from kgpath import errors, train as learn",
        "from .. import train",
        "def f():\n    import kgpath\n    kgpath.train()",
    ],
)
def test_a_name_of_the_front_door_counts_as_its_module(code: str) -> None:
    module = "kgpath.storage.store"
    (line,) = wrong_arrows({module: set(imported(ast.parse(code), module, {"kgpath.errors"}))})
    assert line == f"{module} imports kgpath.train from a higher row"


def test_few_modules_lie_directly_in_the_package(root: Path) -> None:
    flat = {path.name for path in (root / "kgpath").glob("*.py")} - {"__init__.py"}
    assert len(flat) <= MOST_FLAT_MODULES


def names_what_it_tests(test: Path, tests: Path) -> bool:
    """x/test_y.py and x/test_y_more.py test x/y.py, or x itself if y is ``x`` or ``contract``.

    x/test_y.py alone may also test all of the folder x/y; ``init`` stands for ``__init__``, and
    ``main`` for ``__main__``.
    """
    folder = tests.parent / test.parent.relative_to(tests)
    subject = test.stem.removeprefix("test_")
    tested = {path.stem.strip("_") for path in folder.glob("*.py")}
    tested |= {folder.name, "contract"}
    return (folder / subject).is_dir() or any(f"{subject}_".startswith(f"{y}_") for y in tested)


def test_every_test_lies_where_its_module_lies(root: Path) -> None:
    tests = root / "tests"
    mirrored = [test for test in tests.rglob("test_*.py") if test.parent != tests]
    assert len(mirrored) > 100
    assert [test for test in mirrored if not names_what_it_tests(test, tests)] == []


@pytest.mark.parametrize(
    ("test", "right"),
    [
        ("kgpath/linking/test_mentions.py", True),
        ("kg_build/test_build_order.py", True),
        ("kgpath/test_init.py", True),
        ("kgpath/dialogue/test_edges.py", True),  # a folder
        ("kgpath/cli/test_cli_json.py", True),  # of its own folder
        ("rankers/test_contract_sources.py", True),
        ("kgpath/dialogue/test_edges_more.py", False),  # belongs into edges/
        ("kg_build/test_builder.py", False),
        ("kg_build/test_order_build.py", False),
        ("rankers/test_mentions.py", False),
    ],
)
def test_the_checker_knows_what_a_test_is_named_after(root: Path, test: str, right: bool) -> None:
    assert names_what_it_tests(root / "tests" / test, root / "tests") is right


def sign(folder: Path) -> str:
    """What is written at the door: the docstring of the package, or the README of datasets/."""
    if folder.name == "datasets":
        return (folder / "README.md").read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""


def test_every_folder_says_what_belongs_there_and_what_does_not(root: Path) -> None:
    folders = {path.parent for path in modules(root / "kgpath").values()}
    for folder in folders - {root / "kgpath"}:
        first, *more = sign(folder).splitlines()
        assert first.endswith((".", "?")), folder
        assert any(line.startswith("Here: ") for line in more), folder
        assert any(line.startswith("Not here: ") for line in more), folder


def test_the_sign_of_the_datasets_names_every_folder(root: Path) -> None:
    datasets = root / "datasets"
    folders = {path.name for path in datasets.iterdir() if path.is_dir()} - {"__pycache__"}
    named = set(re.findall(r"`(\w+)/`", sign(datasets)))
    assert named == folders >= {"sample", "recipes", "cards"}


def test_no_module_imports_pickle(root: Path) -> None:
    # A model or graph from a stranger must never run code.
    unsafe = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
    for name, path in modules(root / "kgpath").items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert unsafe.isdisjoint(n.partition(".")[0] for n in names), name


def test_our_folders_reach_the_package_by_relative_symlinks(root: Path) -> None:
    for name in ("kg_build", "encoders", "rankers", "datasets"):
        link = root / "kgpath" / name
        assert link.is_symlink()
        assert link.readlink() == Path("..") / name
        assert link.resolve() == root / name
        assert link.is_dir()  # git keeps no empty folders: a clone needs a file in each


def run_python(code: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_datasets_folder_does_not_hide_hugging_face_datasets(root: Path) -> None:
    # With an __init__.py, `import datasets` in the checkout would find our folder.
    assert not (root / "datasets" / "__init__.py").exists()
    try:
        distribution("datasets")
    except PackageNotFoundError:
        pytest.skip("Hugging Face datasets is not installed")
    code = "import importlib.util as u; print(u.find_spec('datasets').origin)"
    origin = Path(run_python(code, root).strip())
    assert origin.name == "__init__.py"
    assert root / "datasets" not in origin.parents


def loaded(code: str, cwd: Path) -> set[str]:
    tail = "\nimport sys, json; print(); print(json.dumps(list(sys.modules)))"
    names = json.loads(run_python(code + tail, cwd).splitlines()[-1])
    return {name.partition(".")[0] for name in names}


def test_import_kgpath_loads_nothing_heavy(tmp_path: Path) -> None:
    assert loaded("import kgpath", tmp_path).isdisjoint({*HEAVY, "rich", "sqlite_utils"})


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['kgpath', '--help']\n"
        "from kgpath.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass"
    )
    assert loaded(code, tmp_path).isdisjoint({*HEAVY, "sqlite_utils", "pyoxigraph"})


def test_looking_around_loads_no_pandas(film_path: Path, tmp_path: Path) -> None:
    # sqlite-utils brings pandas where it is installed; only writing may use it.
    code = f"import kgpath; kgpath.open({str(film_path)!r}).find('bond')"
    assert loaded(code, tmp_path).isdisjoint({"torch", "lightgbm", "pandas", "sqlite_utils"})
