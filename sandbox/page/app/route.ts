import { useEffect, useState } from 'preact/hooks';

/** For `#/payments/<id>?status=paid`. */
export interface Route {
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

export const to = (...path: readonly string[]): string => `#/${path.map(encodeURIComponent).join('/')}`;

type Query = Readonly<Record<string, string | undefined>>;

export function withQuery(path: string, query: Query): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`;
}

/** In this view, with another query. */
export const toQuery = (path: readonly string[], query: Query): string => withQuery(to(...path), query);

export function useRoute(): Route {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const follow = ({ oldURL }: HashChangeEvent) => {
      if (location.hash !== '#main') return setRoute(current());
      // The link that skips the menu leads to a place in the current view, and the browser has moved the focus.
      history.replaceState(null, '', oldURL);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}
