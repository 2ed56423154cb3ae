import type { OnboardingDocument } from '../control/onboarding-control.js';

/** Media types that a browser shows without running scripts. */
const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']);

/** Answers with the bytes of a document. They are untrusted: a browser must not run them as a page of the sandbox. */
export function documentAnswer(field: string, { contentType, bytes }: OnboardingDocument): Response {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isShown = shownTypes.has(type);
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': isShown ? type : 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      ...(!isShown && { 'content-disposition': `attachment; filename*=UTF-8''${encoded(field)}` }),
    },
  });
}

/** Encodes a value as RFC 8187 does. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
