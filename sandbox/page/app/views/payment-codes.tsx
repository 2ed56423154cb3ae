import { useMemo } from 'preact/hooks';
import type { PaymentDetails } from '../../../control/payment-control.js';
import { formatLine } from '../../../payments/boleto.js';
import { Copy } from '../parts/copy.js';
import { MoveTo } from '../parts/now.js';
import { Facts } from '../parts/text.js';
import { drawQrCode } from '../qr-path.js';
import { useFormats, useTexts } from '../texts/language.js';

export function Pix({ code, isPayable }: { code: string; isPayable: boolean }) {
  const t = useTexts();
  return (
    <section class="card pix">
      <h2>{t.payments.pix}</h2>
      <QrCode text={code} label={t.payments.pixImage} />
      <div class="head">
        <h3>{t.payments.pixCode}</h3>
        <Copy text={code} label={t.payments.pixCode} />
      </div>
      <p class="mono outside long">{code}</p>
      <p class="faint">
        {t.payments.pixAbout} {isPayable && t.payments.pixPay}
      </p>
    </section>
  );
}

interface BoletoProps extends Pick<PaymentDetails, 'expiresAt'> {
  readonly id: string;
  readonly boleto: NonNullable<PaymentDetails['boleto']>;
}

export function Boleto({ id, boleto, expiresAt }: BoletoProps) {
  const t = useTexts();
  const { date } = useFormats();
  return (
    <section class="card">
      <h2>{t.payments.boleto}</h2>
      <div class="head">
        <h3>{t.payments.line}</h3>
        <Copy text={boleto.digitableLine} label={t.payments.line} />
      </div>
      <p class="mono outside long">{formatLine(boleto.digitableLine)}</p>
      <Facts facts={[[t.payments.due, <span key="due">{date(boleto.dueDate)}</span>]]} />
      <div class="actions">
        <a
          class="button"
          href={`payments/${encodeURIComponent(id)}/boleto.pdf`}
          target="_blank"
          rel="noreferrer"
        >
          {t.payments.pdf}
        </a>
        {expiresAt !== undefined && <MoveTo at={expiresAt}>{t.clock.movePastDue}</MoveTo>}
      </div>
    </section>
  );
}

function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => drawQrCode(text), [text]);
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}
