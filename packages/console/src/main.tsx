import { render } from 'preact'
import { App } from './app.js'

const root = document.getElementById('console')
if (root) render(<App base={new URL('..', window.location.href).href.replace(/\/$/, '')} />, root)
