import { inspect } from '#sandbox-runtime';
import { loadFile, rejectOtherFile } from '#sandbox-state-file';
import type { FieldNames } from '../src/contract/overrides.js';
import type { Checks } from '../src/contract/sdk-checks.js';
import { defaultWireNames, readFieldNames, type WireNames } from '../src/contract/wire-names.js';
import { isInstance } from '../src/validation/builtins.js';
import { Parsed } from '../src/validation/issue.js';
import {
  anything,
  booleanReader,
  integerReader,
  invalidIf,
  type OptionReaders,
  validIf,
} from '../src/validation/options.js';
import { isRecord } from '../src/validation/record.js';
import { readCheckedOptions } from './arguments/checked-options.js';
import { findBehaviour, platformOptions, type RuleOptions, ruleOptions } from './defaults/all.js';
import { type GivenOptions, toOptionReaders } from './defaults/option.js';
import {
  type SubmerchantUpdates,
  submerchantUpdatesReader,
  updateRoutes,
} from './http/handlers/submerchant-updates.js';
import { type InitialData, initialDataReaders } from './initial-data.js';
import { type MerchantOptions, merchantReaders } from './merchants/merchant.js';
import { unpredictableSeed } from './random/random.js';
import { type SandboxState, stateProblem } from './state/saved-state.js';

/**
 * The options of `createSandbox`. `clientId`, `clientSecret` and `features` belong to the sandbox's first
 * merchant.
 */
export interface SandboxOptions
  extends MerchantOptions,
    RuleOptions,
    GivenOptions<typeof platformOptions>,
    InitialData {
  /** The JSON Schema of a configuration file, for editors. The sandbox ignores this option. */
  $schema?: string | undefined;
  /**
   * An integer. The same seed produces the same ids, secrets, tokens and boleto numbers, in every run and
   * after every `reset()`. Without a seed, `reset()` continues with new ids, so that a store of handled
   * notifications never sees an id twice. Default: a new seed in every run.
   */
  seed?: number | undefined;
  /**
   * Freezes the clock at this time, so that only `clock.advance` moves it. Pass a Date, milliseconds since
   * 1970, or a string that Date can parse. Default: the clock follows the system clock.
   */
  now?: Date | string | number | undefined;
  /**
   * Your platform's field names in requests, responses and notifications, by key. The option works like the
   * client option of the same name, and `clientOptions()` passes it to clients. Default: the names in
   * `assumptions`.
   */
  fieldNames?: FieldNames | undefined;
  /**
   * Routes for updating a sub-account's fees and bank account:
   * `{ fees: 'PATCH /v1/submerchants/{internalId}/fees' }`. The API docs mention these updates, but not their
   * paths. The routes accept any JSON object, store nothing, and count towards the same rate limit as other
   * sub-account changes (API docs, Limits). Default: 404, as for any unknown path.
   */
  submerchantUpdates?: SubmerchantUpdates | undefined;
  /**
   * The result of `save()`. The sandbox continues with the state's merchants, credentials, seed and time.
   * `clientId` and `clientSecret` must match the state, and `now` applies only to a new sandbox.
   */
  state?: SandboxState | undefined;
  /**
   * The path of a file that stores the state. If the file exists, the sandbox loads it. Before the sandbox
   * responds to a request, it writes the request's changes to the file. The file contains the sandbox's secrets and
   * the sellers' documents, so only the file's owner can read it. You cannot combine this option with
   * `state`.
   */
  stateFile?: string | undefined;
  /**
   * The approximate maximum size of the journal, in bytes. Beyond that size, the sandbox drops the oldest
   * requests and counts them in `journal.forgotten`. Default 32 MiB.
   */
  maxJournal?: number | undefined;
  /**
   * Discards the content of `stateFile`. The sandbox rejects a file that is not a state file, and leaves it
   * unchanged. Default false.
   */
  fresh?: boolean | undefined;
}

/** In bytes. */
export const defaultMaxJournal = 32 * 1024 * 1024;

export type SandboxSettings = ReturnType<typeof resolveSettings>;

/** Also of another realm, as under Jest. */
const isDate = (value: unknown): value is Date => isInstance(value, 'Date');

/** Later dates have another format. In milliseconds since 1970. */
const lastTime = Date.UTC(10_000, 0);

const isTime = (value: unknown) =>
  (isDate(value) || typeof value === 'string' || typeof value === 'number') &&
  Math.abs(new Date(value).getTime()) < lastTime;

interface Naming {
  readonly input: FieldNames;
  readonly names: WireNames;
}

function readNaming(value: unknown): Parsed<Naming> {
  const input = isRecord(value) ? Object.freeze({ ...value }) : value;
  const { names, issues } = readFieldNames(input);
  return new Parsed<Naming>({ input: input as FieldNames, names }, issues);
}

const runReaders: OptionReaders<Pick<SandboxOptions, 'seed' | 'now'>> = {
  seed: validIf((value) => Number.isSafeInteger(value), 'must be an integer'),
  now: invalidIf((value) =>
    isTime(value)
      ? undefined
      : `must be a time: a Date, milliseconds since 1970, or a string such as '2026-01-31T12:00:00Z', not ${inspect(value, { depth: 0 })}`,
  ),
};

const optionReaders: OptionReaders<SandboxOptions, { fieldNames: Naming }> = {
  ...merchantReaders,
  ...toOptionReaders(ruleOptions),
  ...runReaders,
  ...toOptionReaders(platformOptions),
  ...initialDataReaders,
  $schema: anything(),
  fieldNames: { read: readNaming },
  submerchantUpdates: submerchantUpdatesReader,
  state: invalidIf((value) => stateProblem(value)),
  fresh: booleanReader,
  maxJournal: integerReader(1, 'a number of bytes'),
  stateFile: validIf((value) => typeof value === 'string' && value !== '', 'must be the path of a file'),
};

/** @throws TypeError that names every problem of the options */
export function resolveSettings(options: SandboxOptions) {
  const accepted = readCheckedOptions('createSandbox', options, optionReaders);
  const {
    seed,
    now,
    fieldNames,
    checks,
    submerchantUpdates,
    state: inputState,
    stateFile,
    fresh = false,
    maxJournal = defaultMaxJournal,
  } = accepted;
  const { clientId, clientSecret, features } = accepted;
  if (inputState !== undefined && stateFile !== undefined) {
    throw new TypeError('createSandbox: state and stateFile exclude each other');
  }
  if (fresh && stateFile === undefined) {
    throw new TypeError('createSandbox: fresh needs stateFile, whose state it forgets');
  }
  if (fresh && stateFile !== undefined) rejectOtherFile(stateFile);
  const state = stateFile === undefined || fresh ? inputState : loadFile(stateFile);
  if (state !== undefined && seed !== undefined && state.seed !== seed) {
    throw new TypeError(`createSandbox: seed is ${seed}, and the state was made with ${state.seed}`);
  }
  const forClients: { fieldNames?: FieldNames; checks?: Checks } = {
    ...(fieldNames && { fieldNames: fieldNames.input }),
    ...(checks && { checks }),
  };
  return {
    seed: seed ?? state?.seed ?? unpredictableSeed(),
    /** Whether ids repeat after a reset. */
    isRepeatable: seed !== undefined,
    /** In milliseconds since 1970; undefined for a clock that follows the system's. */
    now: now === undefined ? undefined : new Date(now).getTime(),
    merchant: { clientId, clientSecret, features },
    behaviour: findBehaviour(accepted),
    /** The field names on the wire: the SDK's names, unless the `fieldNames` option changes them. */
    names: fieldNames?.names ?? defaultWireNames,
    /** The options that the sandbox passes to its clients. */
    forClients,
    /** The routes of the updates that the API docs mention without paths. */
    updates: updateRoutes(submerchantUpdates),
    initialData: accepted satisfies InitialData,
    state,
    stateFile,
    maxJournal,
  };
}
