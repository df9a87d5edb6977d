"""Certificates of a control plane that lives for one proof."""

import subprocess


class Authority:
    """An authority in a folder, and what it signs."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate = folder / "ca.crt"
        self.key = folder / "ca.key"
        self.openssl("req", "-x509", *CURVE, "-keyout", self.key, "-out", self.certificate, "-days", 2, "-subj", "/CN=ca")

    def issue(self, name, subject, addresses=()):
        """A certificate for `subject`, such as `/O=system:masters/CN=admin`; its file and its key's."""
        certificate, key = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        request, extensions = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        names = f"subjectAltName={','.join(addresses)}\n" if addresses else ""
        extensions.write_text(f"{names}extendedKeyUsage=serverAuth,clientAuth\n")
        self.openssl("req", *CURVE, "-keyout", key, "-out", request, "-subj", subject)
        signer = ("-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", 1)
        self.openssl("x509", "-req", "-in", request, *signer, "-extfile", extensions, "-out", certificate)
        return certificate, key

    def key_pair(self, name):
        """Files of a private and a public RSA key."""
        private, public = self.folder / f"{name}.key", self.folder / f"{name}.pub"
        self.openssl("genrsa", "-out", private, 2048)
        self.openssl("rsa", "-in", private, "-pubout", "-out", public)
        return private, public

    @staticmethod
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
