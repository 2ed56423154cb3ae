import type { Sandbox } from '../control/sandbox-interface.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Fields, FieldValues, JsonSchema } from './fields.js';

/** The number of items in each list that can become long. */
export type Counts = Readonly<Record<'payments' | 'requests' | 'deliveries', number>>;

/** The arguments of an action. */
interface Input<Body extends Fields, Query extends Fields> {
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: FieldValues<Body>;
  readonly query: FieldValues<Query>;
  /** Counts the items without reading the lists. */
  readonly counts: () => Counts;
  /** The events, in order. */
  readonly timeline: Timeline;
}

/** The description of a response. */
export interface ResponseDescription {
  readonly description: string;
  /** The schema of a JSON response. */
  readonly schema?: JsonSchema;
  /** The media types of a response that is not JSON. */
  readonly types?: readonly string[];
}

/** An action of the control API. Its route, description and documentation are derived from this. */
export interface Action<Body extends Fields = Fields, Query extends Fields = Fields> {
  /** The name, such as `payments.pay`. The part before the dot is the action's group. */
  readonly id: string;
  /** The method and the path below `/_sandbox`, such as `POST /payments/{id}/pay`. */
  readonly route: Route;
  readonly summary: string;
  /**
   * The fields of the JSON body; undefined if there is none. If no field is required, the body is optional.
   */
  readonly body?: Body;
  readonly query?: Query;
  readonly response: ResponseDescription;
  /** The response's status if the control throws a plain Error. Default 409. */
  readonly rejectionStatus?: 400;
  /** True if the action can respond with 409. */
  readonly conflicts?: boolean;
  /**
   * Runs the action.
   *
   * @returns a value to send as JSON, or a complete response
   */
  run(sandbox: Sandbox, input: Input<Body, Query>): unknown;
}

type Method = 'GET' | 'POST' | 'DELETE';
type Route = `${Method} /${string}`;

/** An action whose field types are not known. */
export interface AnyAction extends Omit<Action<Fields, Fields>, 'route'> {
  readonly method: Method;
  readonly path: string;
}

type None = Record<never, never>;

/** Defines an action, and infers the types of its fields. */
export const action = <Body extends Fields = None, Query extends Fields = None>(
  input: Action<Body, Query>,
): AnyAction => {
  const { route, ...rest } = input;
  const [method, path] = route.split(' ');
  return { ...rest, method, path } as unknown as AnyAction;
};
