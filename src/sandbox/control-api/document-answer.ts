import type { OnboardingDocument } from '../control/onboarding-control.js';

/** Types that a browser shows without running anything. */
const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']);

/** The bytes of a document, which a stranger sent: a browser must never run them as a page of the sandbox. */
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

/** As RFC 8187 writes a value. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
