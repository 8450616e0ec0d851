import './theme.css'
import './base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApp } from './app.ts'
import { Page } from './components/Page.tsx'
import { firstPaint } from './first-paint.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const screen = createRoot(root)
const app = createApp()
// The text of index.html is painted first. The session is requested meanwhile, and often there for the first render.
void firstPaint().finally(() =>
  screen.render(
    <StrictMode>
      <Page app={app} />
    </StrictMode>,
  ),
)
