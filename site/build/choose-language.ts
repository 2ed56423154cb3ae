/**
 * Runs before anything is shown: who has chosen no language yet is led to the one of the browser, on the page
 * that was asked for. The switch stores its choice.
 */
export const chooseLanguage = `(() => {
  const isPortuguese = location.pathname === '/pt' || location.pathname.startsWith('/pt/');
  let chosen = null;
  try { chosen = localStorage.getItem('language'); } catch {}
  const wanted = chosen ?? (navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en');
  if (chosen === null && wanted === 'pt' && !isPortuguese)
    location.replace('/pt' + location.pathname + location.search + location.hash);
})();`;
