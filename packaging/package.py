"""package.py PROGRAM VERSION OUT BILL [fast]: packs a built program as tar.gz, Debian package and container image.

BILL is the bill of materials (CycloneDX). With `fast`, the archives are hardly compressed.

The files depend only on the inputs: names, owners and times in the archives are fixed.
"""
import gzip, hashlib, io, json, lzma, re, subprocess, sys, tarfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
NAME = "kriegspiel"
LEVEL = 1 if "fast" in sys.argv[5:] else 9


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, cwd=ROOT).stdout


def archive(files, compress=True):
    """A tar archive of {path: (bytes, mode)}; bytes None is a folder, a str a link."""
    folders = {str(parent) + "/" for path in files for parent in Path(path).parents if str(parent) != "."}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in sorted(folders | set(files)):
            entry = tarfile.TarInfo("./" + path.rstrip("/"))
            content, entry.mode, *owner = files.get(path, (None, 0o755))
            if owner:
                entry.uid = entry.gid = owner[0]
            if content is None:
                entry.type = tarfile.DIRTYPE
            elif isinstance(content, str):
                entry.type, entry.linkname, content = tarfile.SYMTYPE, content, None
            else:
                entry.size = len(content)
            tar.addfile(entry, content and io.BytesIO(content))
    return gzip.compress(out.getvalue(), LEVEL, mtime=0) if compress else out.getvalue()


def here(name):
    return (HERE / name).read_bytes()


def shared_files(program):
    """Manual pages, completions and documents, by their path below /usr/share."""
    pages = Path(sys.argv[3]) / "man"
    run(program, "man", "--out", pages)
    files = {f"man/man1/{page.name}.gz": (gzip.compress(page.read_bytes(), mtime=0), 0o644) for page in pages.iterdir()}
    for shell, path in [
        ("bash", "bash-completion/completions/kriegspiel"),
        ("zsh", "zsh/vendor-completions/_kriegspiel"),
        ("fish", "fish/vendor_completions.d/kriegspiel.fish"),
    ]:
        files[path] = (run(program, "completions", shell), 0o644)
    for name, text in [
        ("copyright", here("copyright")),
        *((str(page.relative_to(ROOT / "docs")), page.read_bytes()) for page in (ROOT / "docs").rglob("*.md")),
        ("examples/Caddyfile", here("Caddyfile")),
        ("examples/haproxy.cfg", here("haproxy.cfg")),
        ("examples/nginx.conf", here("nginx.conf")),
        ("kriegspiel.cdx.json", Path(sys.argv[4]).read_bytes()),
    ]:
        files["doc/kriegspiel/" + name] = (text, 0o644)
    return files


def debian(files, version, glibc):
    """A Debian package: an `ar` archive of two tar archives."""
    size = sum(len(content) for content, *_ in files.values() if isinstance(content, bytes)) // 1024
    control = here("control").decode().replace("VERSION", version).replace("SIZE", str(size)).replace("GLIBC", glibc)
    parts = {"control": (control.encode(), 0o644)}
    parts |= {name: (here(name), 0o755) for name in ["preinst", "postinst", "prerm", "postrm"]}
    data = lzma.compress(archive(files, compress=False), preset=LEVEL - 1)
    out = b"!<arch>\n"
    for name, content in [("debian-binary", b"2.0\n"), ("control.tar.gz", archive(parts)), ("data.tar.xz", data)]:
        out += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode() + content + b"\n" * (len(content) % 2)
    return out


def image(program, version):
    """An OCI archive with the program, its libraries, certificates, and nothing else."""
    files = {"usr/bin/kriegspiel": (program.read_bytes(), 0o755)}
    # The libraries of this machine, at the places where the loader looks for them.
    for found in re.findall(r"(/\S+) \(0x", run("ldd", program).decode()):
        files[found.lstrip("/")] = (Path(found).read_bytes(), 0o755)
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    files |= {
        "etc/ssl/certs/ca-certificates.crt": (certificates.read_bytes(), 0o644),
        "etc/nsswitch.conf": (b"passwd: files\nhosts: files dns\n", 0o644),
        "etc/passwd": (b"kriegspiel:x:65532:65532::/data:/nonexistent\n", 0o644),
        "data/": (None, 0o700, 65532),
        "tmp/": (None, 0o1777),
    }
    blobs = {}

    def blob(content, kind):
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = (content, 0o644)
        return {"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + digest, "size": len(content)}

    layer = archive(files, compress=False)
    config = {
        "architecture": "amd64", "os": "linux",
        "config": {
            "User": "65532", "WorkingDir": "/data", "ExposedPorts": {"8080/tcp": {}}, "Volumes": {"/data": {}},
            "Entrypoint": ["/usr/bin/kriegspiel"], "StopSignal": "SIGTERM",
            "Cmd": ["serve", "--listen", "0.0.0.0:8080", "--data", "/data/club.db"],
            "Env": ["SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],
            "Labels": {"org.opencontainers.image.licenses": "GPL-3.0-or-later", "org.opencontainers.image.version": version},
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
    }
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(json.dumps(config).encode(), "config.v1+json"),
        "layers": [blob(gzip.compress(layer, LEVEL, mtime=0), "layer.v1.tar+gzip")],
    }
    entry = blob(json.dumps(manifest).encode(), "manifest.v1+json")
    entry["annotations"] = {"org.opencontainers.image.ref.name": version}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    blobs["index.json"] = (json.dumps(index).encode(), 0o644)
    blobs["oci-layout"] = (b'{"imageLayoutVersion":"1.0.0"}', 0o644)
    return archive(blobs, compress=False)


def main():
    program, version, out = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3]).resolve()
    sys.argv[3] = str(out)
    out.mkdir(parents=True, exist_ok=True)
    # The newest version of glibc that a symbol of the program needs.
    needed = re.findall(rb"GLIBC_(2\.\d+)\0", program.read_bytes())
    glibc = max((found.decode() for found in needed), key=lambda text: int(text[2:]))
    binary = {"bin/kriegspiel": (program.read_bytes(), 0o755)}
    share = shared_files(program)
    system = {"usr/" + path: content for path, content in binary.items()}
    system |= {"usr/share/" + path: content for path, content in share.items()}
    system |= {f"usr/lib/kriegspiel/{name}": (here(name), 0o755) for name in ["backup", "restore"]}
    system |= {"usr/lib/systemd/system/" + path.name: (path.read_bytes(), 0o644) for path in sorted(HERE.glob("kriegspiel*.*"))}
    for unit in ["kriegspiel.service", "kriegspiel-backup.service"]:
        system[f"usr/lib/systemd/system/{unit}.d/hardening.conf"] = (here("hardening.conf"), 0o644)
    system["usr/lib/kriegspiel/club.toml"] = (here("club.toml"), 0o644)
    folder = f"{NAME}-{version}-x86_64-linux/"
    plain = {folder + "share/" + path: content for path, content in share.items()}
    plain |= {folder + path: content for path, content in binary.items()}
    plain[folder + "LICENSE"] = ((ROOT / "LICENSE").read_bytes(), 0o644)
    made = {
        f"{NAME}-{version}-x86_64-linux.tar.gz": archive(plain),
        f"{NAME}_{version}_amd64.deb": debian(system, version, glibc),
        f"{NAME}-{version}-image.tar": image(program, version),
        f"{NAME}-{version}.cdx.json": share["doc/kriegspiel/kriegspiel.cdx.json"][0],
    }
    sums = ""
    for name, content in made.items():
        (out / name).write_bytes(content)
        sums += f"{hashlib.sha256(content).hexdigest()}  {name}\n"
        print(f"{len(content) / 1e6:7.1f} MB  {name}")
    (out / "SHA256SUMS").write_text(sums)
    print(f"{program.stat().st_size / 1e6:7.1f} MB  the program; it needs glibc {glibc}")


main()
