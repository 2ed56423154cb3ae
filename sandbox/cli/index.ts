#!/usr/bin/env node
// Must come first: it stores the parent process, and npx can be killed while the rest of the command loads.
import './end-with-parent.js';

await import('./main.js');
