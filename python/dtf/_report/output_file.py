"""A file that appears under its name only when it is complete, as the command line's do (src/base/output_file.h)."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat

from dtf._errors import OutputError


def write_file(path: str, data: bytes) -> None:
    """In place of an old file, whose permissions stay; a symbolic link stays, too, and its target is replaced.

    What is no regular file (a pipe, a device, /dev/stdout) is written to at once. Raises OutputError.
    """
    try:
        old = _stat(path)
        if old is not None and (not stat.S_ISREG(old.st_mode) or _is_open_file(path)):
            with open(path, "ab") as file:  # to go on where an open file ends
                file.write(data)
        else:
            _replace(os.path.realpath(path), old, data)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _is_open_file(path: str) -> bool:
    """Whether it is another name of one, as /dev/stdout is: to replace the file would not change what that shows."""
    while os.path.islink(path):
        folder = os.path.realpath(os.path.dirname(path))
        if folder.startswith("/proc/"):
            return True
        path = os.path.join(folder, os.readlink(path))
    return False


def _replace(target: str, old: os.stat_result | None, data: bytes) -> None:
    # Renaming asks nobody for the right to change the old file, and a superuser may do anything.
    if old is not None and not (old.st_mode & stat.S_IWUSR and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            if old is not None:
                _take_permissions(file.fileno(), old)
            file.write(data)
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):  # it has its name, or never was
            os.unlink(temporary)


def _take_permissions(descriptor: int, old: os.stat_result) -> None:
    """Best effort: on some file systems a file has no permissions to change."""
    with contextlib.suppress(OSError):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
