import { useMemo } from 'preact/hooks';
import encodeQR from 'qr';

/** Shows a string as a QR code. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const cells = useMemo(() => encodeQR(text, 'raw', { border: 2 }), [text]);
  const path = cells.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${cells.length} ${cells.length}`}>
      <path d={path.join('')} />
    </svg>
  );
}
