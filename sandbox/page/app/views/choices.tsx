import type { Choice } from '../../../choices/choice.js';
import { useData } from '../api.js';
import { Loaded } from '../parts/list.js';
import { useTexts } from '../texts/language.js';

/** The choices that the sandbox had to make. */
export function Choices() {
  const t = useTexts();
  return (
    <>
      <h1>{t.choices.title}</h1>
      <p class="lead">{t.choices.about}</p>
      <Loaded reading={useData<{ data: Choice[] }>('choices')}>
        {({ data }) => (
          <div class="choices" lang="en">
            {data.map(({ topic, choice, why }) => (
              <article key={topic} class="card">
                <h2>{topic}</h2>
                <p>{choice}</p>
                <p class="faint">{why}</p>
              </article>
            ))}
          </div>
        )}
      </Loaded>
    </>
  );
}
