/** A self-signed certificate for localhost, valid for a hundred years and deliberately untrusted. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4foZ+i8S1MLzQ9y2
F3/9B4MtY8dtT2/hu8iVBXihuU2hRANCAAQw5JI5HFBLg05d3cMpaCfhnHCssrH/
zr1KuuY1zkKcuxwVk//0uxpQVwOc7ePeXIYYZrYlzvawFClDeLREret2
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUaKMJqKJ5/qo77G9mI6nN0OAAWvYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAyMjMyNFoYDzIxMjYxMDI4
MDIyMzI0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQw5JI5HFBLg05d3cMpaCfhnHCssrH/zr1KuuY1zkKcuxwVk//0uxpQ
VwOc7ePeXIYYZrYlzvawFClDeLREret2o2kwZzAdBgNVHQ4EFgQU3ncHKhfqjHXE
tkHSyRe8bv/KUCEwHwYDVR0jBBgwFoAU3ncHKhfqjHXEtkHSyRe8bv/KUCEwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhANmqCDk+0Y+NTAcYeZTRw/BfTvrym9e24qoMUaC+rg2uAiAmITzQU9IW
STQuzK0AeFaT2BOVmaUM0g+N48OnEwC/pg==
-----END CERTIFICATE-----
`,
};

/** Encodes the same certificate as the bytes of a .cer file. */
export const certificateDer = Uint8Array.from(
  Buffer.from(certificate.cert.replace(/-----[^-]*-----/g, ''), 'base64'),
);
