import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Info } from '../../control/responses.js';
import { useData } from './api.js';
import type { Language } from './formats.js';
import { useConnection } from './live.js';
import { hideMessage } from './messages.js';
import { ClockPanel } from './parts/clock.js';
import { MessageArea } from './parts/message.js';
import { ClockProvider } from './parts/now.js';
import { type Route, to, useRoute } from './route.js';
import {
  keepLanguage,
  LanguageContext,
  languageNames,
  preferredLanguage,
  useTexts,
} from './texts/language.js';
import { Defaults } from './views/defaults.js';
import { DeliveryView } from './views/delivery.js';
import { Faults } from './views/faults.js';
import { Journal } from './views/journal.js';
import { PaymentView } from './views/payment.js';
import { Payments } from './views/payments.js';
import { RegistrationView } from './views/registration.js';
import { RequestView } from './views/request.js';
import { Sellers } from './views/sellers.js';
import { Start } from './views/start.js';
import { TimelineView } from './views/timeline.js';
import { Wallets } from './views/wallets.js';
import { Webhooks } from './views/webhooks.js';

type View = FunctionComponent<{ readonly route: Route }>;

/** By the first part of the path. */
const lists = {
  start: Start,
  payments: Payments,
  timeline: TimelineView,
  journal: Journal,
  webhooks: Webhooks,
  faults: Faults,
  sellers: Sellers,
  wallets: Wallets,
  defaults: Defaults,
} satisfies Record<string, View>;

type Section = keyof typeof lists;

const sections = Object.keys(lists) as Section[];

/** The second part of the path is the id. */
const details: Readonly<Record<string, View>> = {
  payments: PaymentView,
  sellers: RegistrationView,
  webhooks: DeliveryView,
  journal: RequestView,
};

const isSection = (name: string): name is Section => Object.hasOwn(lists, name);

export function App() {
  const [language, setLanguage] = useState(preferredLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = (next: Language) => {
    keepLanguage(next);
    setLanguage(next);
  };
  return (
    <LanguageContext.Provider value={language}>
      <ClockProvider>
        <Layout language={language} choose={choose} />
      </ClockProvider>
    </LanguageContext.Provider>
  );
}

interface LayoutProps {
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

function Layout({ language, choose }: LayoutProps) {
  const t = useTexts();
  const route = useRoute();
  const [section = 'start', id] = route.path;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const title = isSection(section) ? t.nav[section] : t.notFound;
  const place = `${section}/${id ?? ''}`;
  useEffect(() => {
    // Moves the focus, so that a screen reader announces the new view, as after loading a page.
    if (!isFirst.current) main.current?.focus();
    // A message belongs to its view.
    if (!isFirst.current) hideMessage();
    isFirst.current = false;
    scrollTo(0, 0);
    document.querySelector('.menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [place]);
  useEffect(() => {
    document.title = `${title} · ${t.title}`;
  }, [title, t]);
  return (
    <>
      <a class="skip" href="#main">
        {t.skip}
      </a>
      <header class="top">
        <a class="brand" href={to('start')}>
          <span class="mark" aria-hidden="true" />
          {t.title}
        </a>
        <ConnectionState />
        <ClockPanel />
        <select
          class="language"
          aria-label={t.language}
          value={language}
          onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
        >
          {Object.entries(languageNames).map(([value, name]) => (
            <option key={value} value={value} lang={value}>
              {name}
            </option>
          ))}
        </select>
      </header>
      <Menu section={section} />
      <main id="main" ref={main} tabIndex={-1} data-view={place}>
        <ConnectionLost />
        <MessageArea />
        <CurrentView route={route} key={place} />
      </main>
    </>
  );
}

function Menu({ section }: { section: string }) {
  const t = useTexts();
  const { data } = useData<Info>('info', 'journal', 'deliveries');
  const { failed = 0, rejected = 0 } = data?.counts ?? {};
  const problems: Readonly<Record<string, string | false>> = {
    webhooks: failed > 0 && t.failedDeliveries(failed),
    journal: rejected > 0 && t.rejectedRequests(rejected),
  };
  return (
    <nav class="menu" aria-label={t.menu}>
      <ul>
        {sections.map((name) => (
          <li key={name}>
            <a href={to(name)} aria-current={name === section ? 'page' : undefined}>
              {t.nav[name]}
              {problems[name] && (
                <span class="status bad number" title={problems[name]}>
                  <span aria-hidden="true">{name === 'webhooks' ? failed : rejected}</span>
                  <span class="sr">{problems[name]}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function CurrentView({ route }: { route: Route }) {
  const t = useTexts();
  const [section = 'start', id] = route.path;
  const Found =
    id === undefined ? (isSection(section) ? (lists[section] as View) : undefined) : own(details, section);
  if (Found !== undefined) return <Found route={route} />;
  return (
    <>
      <h1>{t.notFound}</h1>
      <p>
        <a href={to('start')}>{t.nav.start}</a>
      </p>
    </>
  );
}

const own = (views: Readonly<Record<string, View>>, name: string): View | undefined =>
  Object.hasOwn(views, name) ? views[name] : undefined;

function ConnectionState() {
  const t = useTexts();
  const connection = useConnection();
  const text = { live: t.live, connecting: t.connecting, gone: '—' }[connection];
  return <span class={`connection ${connection}`}>{text}</span>;
}

function ConnectionLost() {
  const t = useTexts();
  return <div role="status">{useConnection() === 'gone' && <p class="message bad gone">{t.gone}</p>}</div>;
}
