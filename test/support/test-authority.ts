import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

/** A certificate and its key, both in PEM. */
interface Issued {
  readonly cert: string;
  readonly key: string;
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const commonName = '2.5.4.3';

const createName = (name: string) =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: commonName, value: new AttributeValue({ utf8String: name }) }),
    ]),
  ]);

const ownBuffer = (bytes: Uint8Array) => new Uint8Array(bytes).buffer;

const extension = (extnID: string, value: object) =>
  new Extension({ extnID, extnValue: new OctetString(AsnConvert.serialize(value)) });

function issueCertificate(
  subject: string,
  issuer: string,
  publicKey: KeyObject,
  signer: KeyObject,
  extensions: Extension[],
): string {
  const signature = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const hour = 3_600_000;
  const body = new TBSCertificate({
    version: Version.v3,
    // The number is positive, because its first byte is below 0x80.
    serialNumber: ownBuffer(Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    signature,
    issuer: createName(issuer),
    validity: new Validity({
      notBefore: new Date(Date.now() - hour),
      notAfter: new Date(Date.now() + 24 * hour),
    }),
    subject: createName(subject),
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions(extensions),
  });
  const der = AsnConvert.serialize(
    new Certificate({
      tbsCertificate: body,
      signatureAlgorithm: signature,
      signatureValue: ownBuffer(sign('sha256', Buffer.from(AsnConvert.serialize(body)), signer)),
    }),
  );
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/**
 * Creates a private authority: its PEM certificate, and a function that issues certificates for hosts and
 * clients.
 */
export function testAuthority(name = 'Private Test Authority') {
  const { publicKey, privateKey } = newKeys();
  return {
    ca: issueCertificate(name, name, publicKey, privateKey, [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true })),
    ]),
    issue: (host: string): Issued => {
      const own = newKeys();
      const names = new SubjectAlternativeName([new GeneralName({ dNSName: host })]);
      return {
        cert: issueCertificate(host, name, own.publicKey, privateKey, [
          extension(id_ce_subjectAltName, names),
        ]),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}
