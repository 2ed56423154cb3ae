/** A text in lower case with the positions of the original: characters whose lower case has another length stay. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, index) => {
    const one = (text[index] as string).toLowerCase();
    return one.length === 1 ? one : text[index];
  }).join('');
}

/** The same without accents: `JOSE` and `José` are one name. Every character keeps its position. */
export function unaccented(text: string): string {
  const lower = folded(text);
  if (!/[\u00c0-\u024f]/.test(lower)) return lower;
  return lower.replace(/[\u00c0-\u024f]/g, (character) => character.normalize('NFD')[0] as string);
}
