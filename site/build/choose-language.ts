/**
 * Runs before the page is shown. Without a stored choice, redirects to the same page in the browser's language. The
 * language switch stores the choice.
 */
export const chooseLanguage = `(() => {
  const isPortuguese = location.pathname === '/pt' || location.pathname.startsWith('/pt/');
  let chosen = null;
  try { chosen = localStorage.getItem('language'); } catch {}
  const wanted = chosen ?? (navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en');
  if (chosen === null && wanted === 'pt' && !isPortuguese)
    location.replace('/pt' + location.pathname + location.search + location.hash);
})();`;
