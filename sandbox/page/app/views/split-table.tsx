import type { Split } from '../../../payments/split.js';
import { Money, UntrustedText } from '../parts/text.js';
import { useTexts } from '../texts/language.js';

export function SplitTable({ split: { entries, netAmount } }: { split: Split }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.payments.split}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.payments.receiver}</th>
            <th scope="col" class="right">
              {t.field.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ role, document, internalId, amount }) => (
            <tr key={internalId ?? role}>
              <td>
                {role === 'owner' ? `${t.payments.owner}: ` : ''}
                <UntrustedText text={document?.number ?? internalId ?? t.payments.platform} />
              </td>
              <td class="right">
                <Money cents={amount} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.payments.splitSum}</th>
            <td class="right">
              <strong>
                <Money cents={netAmount} />
              </strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
