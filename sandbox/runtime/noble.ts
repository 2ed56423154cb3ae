/** For browsers and Workers, whose native functions are asynchronous. */
export { p256 } from '@noble/curves/nist';
export { hmac } from '@noble/hashes/hmac';
export { sha1 } from '@noble/hashes/legacy';
export { sha256, sha384, sha512 } from '@noble/hashes/sha2';
