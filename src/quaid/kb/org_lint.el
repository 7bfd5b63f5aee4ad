;; What org-lint says of each file, a line each: path, line, checker, message.
;; invalid-id-link asks a database of ids that Emacs has not filled, and reports every good link.
(progn
  (require 'org) (require 'org-lint) (require 'cl-lib)
  (setq org-lint--checkers
        (cl-remove-if (lambda (each) (eq (org-lint-checker-name each) 'invalid-id-link)) org-lint--checkers))
  (dolist (file command-line-args-left)
    (with-temp-buffer
      (insert-file-contents file)
      (setq default-directory (file-name-directory (expand-file-name file)))
      (delay-mode-hooks (org-mode))
      (dolist (each (org-lint))
        (let ((row (cadr each)))
          (princ (format "%s\t%s\t%s\t%s\n" file
                         (substring-no-properties (aref row 0))
                         (org-lint-checker-name (aref row 3))
                         (replace-regexp-in-string "[\t\n]+" " " (aref row 2))))))))
  (setq command-line-args-left nil))
