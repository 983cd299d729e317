#!/usr/bin/env python3
"""Tests a wheel for Linux on aarch64 on a machine of another architecture, with qemu; needs Debian's apt-get and a
network, and does not change the system.

    aarch64.py [WHEEL] [--folder FOLDER]

Debian's qemu-user-static and its Python for arm64 are unpacked into a folder (kept if given), with NumPy and the wheel
(by default the newest in target/wheels). Runs the README's first program, renders an image and a video of the humanoid,
and prints a hash of 1,000 steps.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import first_minute

CONFIGURATION = """
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Dir::State "FOLDER/apt";
Dir::State::status "FOLDER/apt/status";
Dir::Cache "FOLDER/apt";
Dir::Etc::sourcelist "FOLDER/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
"""
SOURCES = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n"
VERSION = "3.11"
PACKAGES = f"""libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libssl3 libffi8 libbz2-1.0 liblzma5 libuuid1 libcrypt1
python{VERSION} python{VERSION}-minimal libpython{VERSION}-minimal libpython{VERSION}-stdlib""".split()


def sh(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def machine(folder):
    """Unpacks the emulator and the programs that it runs."""
    (folder / "apt" / "lists" / "partial").mkdir(parents=True)
    (folder / "apt" / "archives" / "partial").mkdir(parents=True)
    (folder / "deb").mkdir()
    (folder / "apt" / "status").touch()
    (folder / "apt" / "sources.list").write_text(SOURCES)
    (folder / "apt" / "conf").write_text(CONFIGURATION.replace("FOLDER", str(folder)))
    other = {**os.environ, "APT_CONFIG": str(folder / "apt" / "conf")}
    sh("apt-get", "-q=2", "update", env=other)
    sh("apt-get", "-q=2", "download", *PACKAGES, cwd=folder / "deb", env=other)
    for package in (folder / "deb").glob("*.deb"):
        sh("dpkg-deb", "-x", package, folder / "root")
    sh("apt-get", "-q=2", "download", "qemu-user-static", cwd=folder)
    sh("dpkg-deb", "-x", next(folder.glob("qemu-user-static*.deb")), folder / "qemu")
    platforms = [f"--platform=manylinux{tag}_aarch64" for tag in ("2014", "_2_27", "_2_28")]
    sh(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", *platforms, "--python-version", VERSION, "-d", folder, "numpy")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("wheel", nargs="?", type=pathlib.Path)
    ap.add_argument("--folder", type=pathlib.Path, help="keeps the machine here for the next time")
    args = ap.parse_args()
    wheel = (args.wheel or first_minute.newest("aarch64")).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (args.folder or pathlib.Path(scratch) / "machine").resolve()
        if not folder.exists():
            machine(folder)
        site = pathlib.Path(scratch) / "site"
        for archive in (wheel, next(folder.glob("numpy-*.whl"))):
            zipfile.ZipFile(archive).extractall(site)
        (pathlib.Path(scratch) / "models").symlink_to(first_minute.ROOT / "models")
        emulator = [folder / "qemu/usr/bin/qemu-aarch64-static", "-L", folder / "root", folder / f"root/usr/bin/python{VERSION}"]
        environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONHOME": str(folder / "root/usr")}
        for program in (first_minute.first_program(), first_minute.DRAW, first_minute.BITS):
            sh(*emulator, "-c", program, cwd=scratch, env=environment)
        assert (pathlib.Path(scratch) / "humanoid.mp4").stat().st_size > 20_000, "the film is too small to be right"


if __name__ == "__main__":
    main()
