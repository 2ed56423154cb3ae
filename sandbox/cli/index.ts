#!/usr/bin/env node
// Loaded first, because it stores the parent process. npx can be killed while the rest of the command loads.
import './end-with-parent.js';

await import('./main.js');
