import { useState } from 'preact/hooks';
import type { SandboxDefault } from '../../../defaults/sandbox-default.js';
import { useData } from '../api.js';
import { Loaded } from '../parts/list.js';
import { TextWithCode } from '../parts/text.js';
import { useTexts } from '../texts/language.js';

export function Defaults() {
  const t = useTexts();
  return (
    <>
      <h1>{t.defaults.title}</h1>
      <p class="lead">{t.defaults.about}</p>
      <Loaded reading={useData<{ data: SandboxDefault[] }>('defaults')}>
        {({ data }) => (
          <FilteredDefaults
            all={data.map((entry) => translate(entry, t.defaults.translations[entry.topic]))}
          />
        )}
      </Loaded>
    </>
  );
}

function translate(entry: SandboxDefault, translation: readonly string[] = []): SandboxDefault {
  const [topic = entry.topic, behaviour = entry.default, why = entry.why] = translation;
  return { ...entry, topic, default: behaviour, why };
}

function FilteredDefaults({ all }: { all: readonly SandboxDefault[] }) {
  const t = useTexts();
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((one) => {
    const text = [one.topic, one.default, one.why, one.option].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      <input
        type="search"
        aria-label={t.defaults.filter}
        placeholder={t.defaults.filterHint}
        value={filter}
        onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
      {shown.length === 0 && <p class="empty">{t.defaults.none}</p>}
      <div class="with-index">
        <Index topics={shown.map(({ topic }) => topic)} />
        <div class="defaults">
          {shown.map((entry) => (
            <DefaultShown key={entry.topic} entry={entry} />
          ))}
        </div>
      </div>
    </>
  );
}

/** The address does not change, because its hash names the view. */
function Index({ topics }: { topics: readonly string[] }) {
  const t = useTexts();
  const goTo = (topic: string) => {
    const heading = document.getElementById(toHeadingId(topic));
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <nav class="index" aria-label={t.defaults.index}>
      <ul>
        {topics.map((topic) => (
          <li key={topic}>
            <button type="button" class="link" onClick={() => goTo(topic)}>
              {topic}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function DefaultShown({ entry: { topic, default: behaviour, why, option } }: { entry: SandboxDefault }) {
  const t = useTexts();
  return (
    <article class="card">
      <h2 id={toHeadingId(topic)} tabIndex={-1}>
        {topic}
      </h2>
      <p>
        <TextWithCode text={behaviour} />
      </p>
      <p class="faint">
        <TextWithCode text={why} />
      </p>
      {option !== undefined && (
        <p>
          {t.defaults.option}: <code class="mono">{option}</code>
        </p>
      )}
    </article>
  );
}

const toHeadingId = (topic: string) => `default-${topic.replace(/\P{L}+/gu, '-')}`;
