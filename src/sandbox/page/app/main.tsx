import { render } from 'preact';
import { App } from './app.js';
import { connect } from './live.js';
import './style.css';

const root = document.getElementById('page');
if (root !== null) render(<App />, root);
connect();
