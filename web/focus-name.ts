/** Later: a press that goes down gives the focus to the button once its event has been handled. */
export function focusName(): void {
  setTimeout(() => document.getElementById('username')?.focus())
}
