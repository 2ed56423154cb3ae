import { useEffect, useState } from 'preact/hooks';

/** The view that the address names: `#/payments/<id>?status=paid`. */
export interface Route {
  /** The decoded segments of the path. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function current(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The link to a view. */
export const to = (...path: readonly string[]): string => `#/${path.map(encodeURIComponent).join('/')}`;

/** A link in this view with another query. */
export function toQuery(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return to(...path) + (given.length === 0 ? '' : `?${new URLSearchParams(given)}`);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const follow = ({ oldURL }: HashChangeEvent) => {
      if (location.hash !== '#main') return setRoute(current());
      // The link that skips the menu moves the focus into the present view.
      history.replaceState(null, '', oldURL);
      document.getElementById('main')?.focus();
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}
