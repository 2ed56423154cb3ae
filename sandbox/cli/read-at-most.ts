/** `isWhole` means that nothing follows. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isWhole: length <= limit };
}
