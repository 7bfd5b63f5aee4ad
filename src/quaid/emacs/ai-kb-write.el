;;; ai-kb-write.el --- Nodes remembered and sources captured  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ai-kb-remember' asks for title, summary and type, and opens a buffer for
;; the text; C-c C-c hands it to `ai-kb remember'.  `ai-kb-capture' keeps the
;; passage of a source.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-browse)
(require 'org)

(defconst ai-kb-types '("observation" "principle" "preference" "procedure" "reference")
  "The types of nodes.")

(defvar-local ai-kb--fields nil "Words for `ai-kb remember', but for the text.")

(defvar ai-kb-remember-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'ai-kb-remember-finish)
    (define-key map (kbd "C-c C-k") #'ai-kb-remember-abort)
    map)
  "Keys in the text of a node that is remembered.")

(define-minor-mode ai-kb-remember-mode
  "Write the text of a node."
  :lighter " ai-kb-remember"
  (setq header-line-format
        (substitute-command-keys
         "\\<ai-kb-remember-mode-map>\\[ai-kb-remember-finish] remember, with C-u although a node is much like it; \\[ai-kb-remember-abort] abort")))

(defun ai-kb--region ()
  "The text of the region, or nil."
  (and (use-region-p) (buffer-substring-no-properties (region-beginning) (region-end))))

;;;###autoload
(defun ai-kb-remember (&optional title)
  "Write a new node with TITLE; the region is its text to begin with."
  (interactive)
  (let* ((text (ai-kb--region))
         (named (or title (read-string "Title: ")))
         (summary (read-string "Summary, one sentence by which it is found: "))
         (type (completing-read "Type: " ai-kb-types nil t nil nil (car ai-kb-types)))
         (buffer (generate-new-buffer "*ai-kb-remember*")))
    (with-current-buffer buffer
      (org-mode)
      (ai-kb-remember-mode 1)
      (setq ai-kb--fields (list "--title" named "--summary" summary "--type" type))
      (insert (or text "")))
    (pop-to-buffer buffer)))

(defun ai-kb-remember-finish (&optional although)
  "Remember the node; with ALTHOUGH, the prefix, even if another is much like it."
  (interactive "P")
  (let ((buffer (current-buffer)))
    (ai-kb-start
     ai-kb-program
     `("remember" ,@ai-kb--fields "--created-by" "human" "--body" "-"
       ,@(and although '("--force-new")))
     (lambda (answer)
       (if (ai-kb-answer-error answer)
           (message "ai-kb: %s" (ai-kb-error-text (ai-kb-answer-error answer)))
         (let ((data (ai-kb-answer-data answer)))
           (when (buffer-live-p buffer)
             (let ((windows (get-buffer-window-list buffer nil t)))
               (if windows (quit-window t (car windows)) (kill-buffer buffer))))
           (message "ai-kb: %s: %s" (alist-get 'action data) (alist-get 'title data))
           (run-hook-with-args 'ai-kb-commit-hook answer))))
     (buffer-string))))

(defun ai-kb-remember-abort ()
  "Remember nothing."
  (interactive)
  (quit-window t))

;;;###autoload
(defun ai-kb-capture (source excerpt &optional title)
  "Keep EXCERPT, a passage of SOURCE that is called TITLE, for a node to rest on.
The excerpt is the region, if there is one.  The path for :SOURCE: is in the
kill ring afterwards."
  (interactive (list (read-string "Address: ")
                     (or (ai-kb--region) (read-string "The passage that matters: "))
                     (read-string "Title: ")))
  (let ((path (alist-get
               'path (ai-kb-data
                      (ai-kb-wait ai-kb-program
                                  `("capture" ,source "--excerpt" "-"
                                    ,@(unless (member title '(nil "")) (list "--title" title)))
                                  excerpt)))))
    (kill-new path)
    (message "ai-kb: captured as %s" path)
    path))

(provide 'ai-kb-write)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-write.el ends here
