/**
 * A certificate authority, a server's and a client's certificate of it, and a client's certificate of no authority. They
 * are valid until 2126 and protect nothing. These commands make others:
 *
 *     ec() { openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt; }
 *     signed() { openssl x509 -req -CA ca.pem -CAkey ca.key -days 36500 "$@"; }
 *     for name in ca server client other; do ec > $name.key; done
 *     openssl req -x509 -new -key ca.key -subj "/CN=Test authority" -days 36500 -out ca.pem
 *     openssl req -new -key server.key -subj "/CN=127.0.0.1" | signed -extfile <(echo "subjectAltName=IP:127.0.0.1") -out server.pem
 *     openssl req -new -key client.key -subj "/O=Acme/CN=shop-1" | signed -out client.pem
 *     openssl req -x509 -new -key other.key -subj "/CN=shop-1" -days 36500 -out other.pem
 */

export const authority = `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUP2Y8SR9uNY3BT/AGJFqu98L6xkAwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI2MDUxODEwWhgPMjEy
NjExMDIwNTE4MTBaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEPA5qjOi8SG459nA9ILzjHkkGpSLI1otfF3nL6VIG
WH34P6JZbmBcjYd3/fIjXDLv5wEUhtMXHnXW0r5K8K/nBqNTMFEwHQYDVR0OBBYE
FCqODPj5s9g98jYR1ZNPwP6SF0o8MB8GA1UdIwQYMBaAFCqODPj5s9g98jYR1ZNP
wP6SF0o8MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhALzbPf4Q
W+Nc7ZdhmBfwUkwgJOetbB9nPYCdszLrn6woAiA3f5DBEED2KMf0EgjQvxkR7ccD
i48n3DxUx3wOHA4uZA==
-----END CERTIFICATE-----
`;

export const server = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATWgAwIBAgIUc8WKr2eYVkf6Rcm7Zobo50gfZa0wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI2MDUxODEwWhgPMjEy
NjExMDIwNTE4MTBaMBQxEjAQBgNVBAMMCTEyNy4wLjAuMTBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABMBv3e9DijThNj0prvcZb390+ewCK+T8t6G6nLlbb/xmctDp
phEU8cfaDTfSwzecRlCJwtjC3oUhxDYMTxbxSeKjXjBcMBoGA1UdEQQTMBGHBH8A
AAGCCWxvY2FsaG9zdDAdBgNVHQ4EFgQUO56kHoccyygZO7mxcXPaUnCYmtEwHwYD
VR0jBBgwFoAUKo4M+Pmz2D3yNhHVk0/A/pIXSjwwCgYIKoZIzj0EAwIDSQAwRgIh
AP2UALtuBE+73J9WnJvgC6k/DIKFZEAOYYCuwDFZIvPeAiEA5RPbFXewoMlRM8UC
ioardyuY1n80EhiE/Y/H54FZUoc=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWMdw94MzBOEna3y2
gd+UeDkSWqq9gsBiOoP8pn+SblahRANCAATAb93vQ4o04TY9Ka73GW9/dPnsAivk
/Lehupy5W2/8ZnLQ6aYRFPHH2g030sM3nEZQicLYwt6FIcQ2DE8W8Uni
-----END PRIVATE KEY-----
`,
};

export const client = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBNTCB3AIUGBOmtqeDmTO0HbA1XwJe9gyHYNkwCgYIKoZIzj0EAwIwGTEXMBUG
A1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI2MDUxODEwWhgPMjEyNjExMDIw
NTE4MTBaMCAxDTALBgNVBAoMBEFjbWUxDzANBgNVBAMMBnNob3AtMTBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABL8SVXoSLMPfPyElGN4yijTLmP/iIqhGQvESbQ5C
35rTERdsMo516wNn0YA/BhWJUKRotAvAyXE03THr+4DuOtYwCgYIKoZIzj0EAwID
SAAwRQIhAIaUjhu5wE/RJHiXinvf6odJvPLjlIhlkgxQavZ7P9I5AiBCzeYv7bsa
FAxX88yOeWxJPwaQPdcRUhybBjU4a0DAkw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+SFNlUKb1su4Q5iM
LXrzOKtEjSgfFbDc4iTZSvvG8FqhRANCAAS/ElV6EizD3z8hJRjeMoo0y5j/4iKo
RkLxEm0OQt+a0xEXbDKOdesDZ9GAPwYViVCkaLQLwMlxNN0x6/uA7jrW
-----END PRIVATE KEY-----
`,
};

export const other = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIURGZR/Tf7oRspkhoVxlNzZwJi0fYwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGc2hvcC0xMCAXDTI2MTEyNjA1MTgxMFoYDzIxMjYxMTAyMDUx
ODEwWjARMQ8wDQYDVQQDDAZzaG9wLTEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAQZ4EoFWdrBXMQfulTJ/cSQWgntZ/VowiawhTXTFe7vOUgSDR/o1nrzBljYuEKK
TRvsQ6bYIuEoFX1CwKxNblCCo1MwUTAdBgNVHQ4EFgQUbvGtFQDqoxwlQhkxCFJ8
2tEPAaAwHwYDVR0jBBgwFoAUbvGtFQDqoxwlQhkxCFJ82tEPAaAwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAN9I5vpfr0KooP21qyPLIkjbhpaDh1
0sZtY8Q++VGc7AIhANJgkYISmUkJ028sy2HvXnpJ3SP+oJBz8/VY2zys1GQB
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1iiN3XNxqLRQ80lH
iEO6V6LZYrMW7ah3wxPrs6omh6GhRANCAAQZ4EoFWdrBXMQfulTJ/cSQWgntZ/Vo
wiawhTXTFe7vOUgSDR/o1nrzBljYuEKKTRvsQ6bYIuEoFX1CwKxNblCC
-----END PRIVATE KEY-----
`,
};
