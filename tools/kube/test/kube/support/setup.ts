import { printLastWords } from './last-words.ts';

printLastWords();
