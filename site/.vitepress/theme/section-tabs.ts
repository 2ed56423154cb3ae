const readTitles = (group: Element) =>
  [...group.querySelectorAll('.tabs label')].map(({ textContent }) => textContent);

/** Shows the tabs with a title in all groups of the page. */
function show(title: string | null | undefined): void {
  for (const group of document.querySelectorAll('.section-tabs')) {
    const index = readTitles(group).indexOf(title ?? '');
    const input = group.querySelectorAll('input')[index];
    if (input === undefined) continue;
    input.checked = true;
    const panels = group.querySelectorAll('.blocks > *');
    for (const [number, panel] of panels.entries()) panel.classList.toggle('active', number === index);
  }
}

/** Shows the tab that contains a link's target, and scrolls to its group. */
export function showLinkedTab(): void {
  const target = document.getElementById(decodeURIComponent(location.hash).slice(1));
  const group = target?.closest('.section-tabs');
  if (!group) return;
  const panels = [...group.querySelectorAll('.blocks > *')];
  show(readTitles(group)[panels.findIndex((panel) => panel.contains(target))]);
  group.scrollIntoView();
}

/** Shows the chosen tab in the page's other groups also. */
export function showSameTab({ target }: Event): void {
  const group = target instanceof HTMLInputElement && target.closest('.section-tabs');
  if (!group) return;
  const before = group.getBoundingClientRect().top;
  show(readTitles(group)[[...group.querySelectorAll('input')].indexOf(target)]);
  // A group above can have changed its height.
  window.scrollBy({ top: group.getBoundingClientRect().top - before, behavior: 'instant' });
}
