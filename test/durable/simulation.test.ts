import { expect, test } from 'vitest';
import { runs, seed } from '../support/load.js';
import { randomFrom } from '../support/random.js';
import { Simulation } from './simulation.js';

const orders = runs(1_000);
const ordersOfAPart = 250;

test(`${orders} orders end with one charge each while workers die and the platform and store fail (row 78)`, {
  timeout: 300_000 + orders * 10,
}, async () => {
  let steps = 0;
  let kills = 0;
  for (let part = 0; part * ordersOfAPart < orders; part++) {
    const simulation = new Simulation(randomFrom(seed + part));
    try {
      steps += await simulation.run(ordersOfAPart, 1_000_000);
    } catch (error) {
      throw new Error(`With SEED=${seed + part}:`, { cause: error });
    }
    kills += simulation.kills;
  }
  expect(steps, 'steps').toBeGreaterThanOrEqual(orders * 8);
  expect(kills, 'workers that died').toBeGreaterThanOrEqual(orders / 20);
  console.log(`${orders} orders, ${steps} steps, ${kills} kills, from SEED=${seed}`);
});
