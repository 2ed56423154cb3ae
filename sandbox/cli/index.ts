#!/usr/bin/env node
// It remembers who started this process. All else is loaded after that: npx can be killed while the command loads.
import './end-with-parent.js';

await import('./main.js');
