export { ClaimView } from './ClaimView.tsx'
export { LoginForm } from './LoginForm.tsx'
