import { useMemo } from 'preact/hooks';
import { drawQrCode } from '../qr-path.js';

export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => drawQrCode(text), [text]);
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}
