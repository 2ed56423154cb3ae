/** Loads one package, makes one call, and reports the CPU time of both. */
const { pathToFileURL } = require('node:url');

const [format, name, file, port, samples, planted] = process.argv.slice(2);
const { credentials, intentOrder, order } = JSON.parse(samples);

const calls = {
  ours: ({ PaymentPlatform }) =>
    new PaymentPlatform({ baseUrl: `http://127.0.0.1:${port}`, ...credentials }).payments.create(order),
  stripe: (loaded) =>
    new (loaded.default ?? loaded)('sk_test_bench', {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      // stripe's telemetry would leave a file in the home directory, and costs some CPU time.
      telemetry: false,
    }).paymentIntents.create(intentOrder),
};

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function main() {
  const before = cpu();
  const loaded = format === 'esm' ? await import(pathToFileURL(file)) : require(file);
  const load = cpu() - before;
  const { id } = await calls[name](loaded);
  if (typeof id !== 'string') throw new TypeError('the answer has no id');
  for (const until = before + (cpu() - before) * (1 + Number(planted)); cpu() < until; );
  process.send({ load, total: cpu() - before }, () => process.exit());
}

void main();
