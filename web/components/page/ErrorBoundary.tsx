import { Component, type ReactNode } from 'react'

/**
 * Shows a button instead of an empty page when rendering fails, for example because an extension has moved or
 * removed elements. An attempt that is not yet recorded stays in the browser, so a reload sends it again.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <main className="loading" role="alert">
        <p className="loading-rule">Something went wrong.</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Reload
        </button>
      </main>
    )
  }
}
