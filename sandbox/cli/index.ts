#!/usr/bin/env node
// Must be the first import, because it stores the parent process. npx can be killed while the other modules
// load.
import './end-with-parent.js';

await import('./main.js');
