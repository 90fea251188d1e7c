"""What is installed is the whole package, the sample with it, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import kgpath

BACKEND = "import sys, setuptools.build_meta as b; print(getattr(b, sys.argv[1])(sys.argv[2]))"


def copy_of_checkout(root: Path, target: Path) -> Path:
    """The files a clone would have, and those not committed yet; symlinks stay symlinks."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True,
    )  # fmt: skip
    if listing.returncode:
        pytest.skip("needs git and a checkout to know which files belong to it")
    for name in filter(None, listing.stdout.decode().split("\0")):
        if (root / name).is_symlink() or (root / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target / name, follow_symlinks=False)
    return target


def built(kind: str, folder: Path) -> Path:
    """Asks the build backend as pip would, without its own environment and so without network."""
    output = folder.parent / f"{folder.name}-{kind}"
    output.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", BACKEND, f"build_{kind}", output],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return output / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (root / "README.md").exists():
        pytest.skip("README.md is not written yet, and setuptools cannot build without it")
    return copy_of_checkout(root, tmp_path_factory.mktemp("packaging") / "checkout")


@pytest.fixture(scope="module")
def wheel(checkout: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(built("wheel", checkout))


@pytest.fixture(scope="module")
def sdist(checkout: Path) -> Path:
    return built("sdist", checkout)


def test_the_wheel_holds_every_module_and_the_sample(
    wheel: zipfile.ZipFile, checkout: Path
) -> None:
    names = set(wheel.namelist())
    modules = {
        path.relative_to(checkout).as_posix()
        for part in (checkout / "kgpath").iterdir()
        for path in ([part] if part.is_file() else part.rglob("*.py"))
        if path.suffix == ".py"
    }
    assert len(modules) > 30
    assert modules <= names
    assert {
        "kgpath/py.typed",
        "kgpath/kg_build/build.py",
        "kgpath/datasets/sample/film.ttl",
        "kgpath/datasets/sample/ontology.ttl",
        "kgpath/datasets/sample/documents.jsonl",
        "kgpath/datasets/sample/LICENSE",
        "kgpath/datasets/recipes/synthetic-s.toml",
        "kgpath/datasets/recipes/synthetic-l.toml",
        "kgpath/lexicon/english/words.txt",
        "kgpath/lexicon/english/vectors.npy",
    } <= names
    assert wheel.read("kgpath/datasets/sample/film.ttl").strip()


def test_the_wheel_puts_nothing_generic_into_site_packages(wheel: zipfile.ZipFile) -> None:
    # `import datasets` must stay Hugging Face's, `import encoders` nobody's.
    top = {name.partition("/")[0] for name in wheel.namelist()}
    assert top == {"kgpath", f"kgpath-{kgpath.__version__}.dist-info"}
    # One copy of each file: a symlink followed twice would ship a second package.
    assert not [name for name in wheel.namelist() if name.count("kgpath/") > 1]


def metadata(wheel: zipfile.ZipFile, name: str) -> str:
    return wheel.read(f"kgpath-{kgpath.__version__}.dist-info/{name}").decode()


def test_the_wheel_says_the_same_version_and_brings_the_command(wheel: zipfile.ZipFile) -> None:
    about = Parser().parsestr(metadata(wheel, "METADATA"))
    assert about["Version"] == kgpath.__version__
    assert about["Name"] == "kgpath"
    assert "kgpath = kgpath.__main__:main" in metadata(wheel, "entry_points.txt")


def test_a_wheel_from_the_sdist_has_the_same_files(
    wheel: zipfile.ZipFile, sdist: Path, tmp_path: Path
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    again = zipfile.ZipFile(built("wheel", folder))
    assert sorted(again.namelist()) == sorted(wheel.namelist())
    for name in wheel.namelist():
        if name.startswith("kgpath/"):
            assert again.read(name) == wheel.read(name), name


def test_the_installed_wheel_runs_the_demo_from_anywhere(
    wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    wheel.extractall(site)
    # First on the path: this copy, not the checkout that the tests run from.
    code = f"import sys; sys.path.insert(0, {str(site)!r})\nimport kgpath; print(kgpath.__file__)\n"
    code += "from kgpath.cli import main; sys.argv = ['kgpath', 'demo']; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site))
    assert "$ kgpath show film.kg" in done.stdout


@pytest.fixture(scope="module")
def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(root: Path) -> dict[str, str]:
    lines = (root / "constraints.txt").read_text().splitlines()
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9._!-]+", line), line
    found = {normal(line.split("==")[0]): line.split("==")[1] for line in lines}
    assert len(found) == len(lines), "a name is pinned twice"
    return found


def test_the_lock_pins_every_dependency_once_and_exactly(root: Path, project: dict) -> None:
    pinned = pins(root)
    # `pip freeze` would write torch==2.13.0+cpu, which nobody else has.
    assert pinned["torch"] == "2.13.0"
    extras = project["optional-dependencies"]
    for wanted in (*project["dependencies"], *(w for extra in extras.values() for w in extra)):
        name = normal(re.match(r"[A-Za-z0-9._-]+", wanted).group())
        assert name == "kgpath" or name in pinned, f"{wanted} is not pinned"


def test_the_pins_satisfy_what_the_project_asks_for(root: Path, project: dict) -> None:
    requirements = pytest.importorskip("packaging.requirements")
    pinned = pins(root)
    extras = project["optional-dependencies"]
    for wanted in (*project["dependencies"], *(w for extra in extras.values() for w in extra)):
        requirement = requirements.Requirement(wanted)
        if normal(requirement.name) != "kgpath":
            assert requirement.specifier.contains(pinned[normal(requirement.name)]), wanted


def test_the_extras(project: dict) -> None:
    assert set(project["optional-dependencies"]) == {"dialogue", "learn", "neural", "plot", "test"}
    # The core stays light.
    core = {normal(re.match(r"[A-Za-z0-9._-]+", d).group()) for d in project["dependencies"]}
    heavy = {"torch", "lightgbm", "scikit-learn", "pandas", "fastapi", "transformers"}
    assert core.isdisjoint(heavy)


def test_public_and_private_ci_run_the_same_commands(root: Path, project: dict) -> None:
    yaml = pytest.importorskip("yaml")
    specifiers = pytest.importorskip("packaging.specifiers")
    job = yaml.safe_load((root / ".github/workflows/test.yml").read_text())["jobs"]["test"]
    steps = [step["run"] for step in job["steps"] if "run" in step]
    assert steps == re.findall(r"(?m)^make .*", (root / ".ci" / "run").read_text())
    supported = specifiers.SpecifierSet(project["requires-python"])
    assert all(version in supported for version in job["strategy"]["matrix"]["python"])


def test_every_extra_that_is_installed_for_the_tests_exists(root: Path, project: dict) -> None:
    (extras,) = re.findall(r'"\.\[(.*)\]"', (root / "Makefile").read_text())
    assert set(extras.split(",")) | {"plot"} == set(project["optional-dependencies"])
