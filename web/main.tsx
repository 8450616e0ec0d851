import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { assemble } from './assemble.ts'
import { firstPaint } from './painted.ts'
import './theme.css'
import './base.css'
import './game.css'
import './boards.css'
import './forms.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const screen = createRoot(root)
const parts = assemble()
// What index.html says comes first; the session is on its way meanwhile, and often there for the first render.
void firstPaint().finally(() =>
  screen.render(
    <StrictMode>
      <App {...parts} />
    </StrictMode>,
  ),
)
