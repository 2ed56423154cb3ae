/** Takes the place of `undo-coding.ts` without node:zlib: fetch undoes the codings that its runtime knows. */
export const isKnownCoding = (_: string): boolean => true;

export const undoCoding = async (_: string, __: Uint8Array) => 'wrong' as const;
