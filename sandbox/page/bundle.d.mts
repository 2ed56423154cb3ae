import type { Plugin } from 'esbuild';
import type { PageFiles } from './node-page.js';

export declare function bundlePage(): Promise<PageFiles>;
export declare function builtPage(note: (file: string) => void): Plugin;
