/** Loads a build in a new process, makes one call, and reports the CPU time of both. */
import { credentials, order } from './samples.mjs';

const [file, port, planted] = process.argv.slice(2);

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const before = cpu();
const { PaymentPlatform } = await import(file);
const platform = new PaymentPlatform({ baseUrl: `http://127.0.0.1:${port}`, ...credentials });
const { id } = await platform.payments.create(order);
if (typeof id !== 'string') throw new TypeError('the response has no id');
for (const until = before + (cpu() - before) * (1 + Number(planted)); cpu() < until; );
process.send({ cost: cpu() - before }, () => process.exit());
