import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { assemble } from './assemble.ts'
import './theme.css'
import './base.css'
import './game.css'
import './boards.css'
import './forms.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <App {...assemble()} />
  </StrictMode>,
)
