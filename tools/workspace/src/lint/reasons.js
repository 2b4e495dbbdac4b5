const DIRECTIVE = /^\s*eslint-disable(?:-next-line|-line)?\b/u;
const REASON = /\s--\s+\S/u;

/** ESLint rule: whoever switches a rule off says why, as in `// eslint-disable-next-line <rule> -- <reason>`. */
export const requireReason = {
  meta: {
    type: 'suggestion',
    docs: { description: 'Require a reason beside every eslint-disable comment' },
    schema: [],
    messages: { missing: 'Say why the rule is off here: `eslint-disable-next-line <rule> -- <reason>`.' },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (DIRECTIVE.test(comment.value) && !REASON.test(comment.value)) {
            context.report({ loc: comment.loc, messageId: 'missing' });
          }
        }
      },
    };
  },
};
