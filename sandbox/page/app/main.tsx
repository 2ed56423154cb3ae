import { render } from 'preact';
import { App } from './app.js';
import { connect } from './live.js';
import './styles/frame.css';
import './styles/lists.css';
import './styles/tables.css';
import './styles/statuses.css';
import './styles/controls.css';
import './styles/contents.css';
import './styles/sequence.css';
import './styles/views.css';
import './styles/entries.css';
import './styles/phone.css';

const root = document.getElementById('page');
if (root !== null) render(<App />, root);
connect();
