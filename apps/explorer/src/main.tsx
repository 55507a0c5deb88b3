// Draws the explorer into the page that the API serves under /explore.

import 'uplot/dist/uPlot.min.css'
import './styles.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { redeemCode, redeemLaterCodes } from './sign-in/one-time-code.ts'

await redeemCode()
redeemLaterCodes()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
