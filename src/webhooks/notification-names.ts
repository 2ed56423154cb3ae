import { fieldKeys } from '../contract/field-keys.js';
import { readOverrides } from '../contract/overrides.js';
import { notificationFields } from '../contract/payments/answer-fields.js';
import { buildRenaming, renameFields } from '../contract/renaming.js';
import { Read } from '../input/read.js';

/** Gives a payload the names of the SDK; the same object if no name differs. */
export type ToSdkNames = (payload: object) => object;

/** Reads the option `fieldNames`. Of its names, notifications have few; those of the others are only checked. */
export function readNotificationNames(given: unknown): Read<ToSdkNames> {
  const { overrides, issues } = readOverrides(given, fieldKeys, [notificationFields]);
  const renaming = buildRenaming(notificationFields, overrides, 'fromWire');
  return new Read((payload: object) => renameFields(payload, renaming) as object, issues);
}
